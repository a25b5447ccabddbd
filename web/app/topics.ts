import type { ArticleTag } from '@officium/contract/content';

export type Topic = ArticleTag;

// Importing the contract's list would bring its whole module into the browser; `Record` keeps this copy complete.
const SLUGS: Record<Topic, string> = {
  topic_CitiesAndLocalGovernment: 'cities-and-local-government',
  topic_Climate: 'climate',
  topic_DigitalAndData: 'digital-and-data',
  topic_Education: 'education',
  topic_EquityJusticeAndInclusion: 'equity-justice-and-inclusion',
  topic_HealthAndSocialCare: 'health-and-social-care',
  topic_Innovation: 'innovation',
  topic_LeadershipAndSkills: 'leadership-and-skills',
  topic_LifeInGovernment: 'life-in-government',
  topic_Policymaking: 'policymaking',
  topic_TransportAndInfrastructure: 'transport-and-infrastructure',
  topic_WorkAndTheEconomy: 'work-and-the-economy',
};

export const TOPICS = Object.keys(SLUGS) as Topic[]; // the keys are topics by construction

/** A topic as a slug in addresses. */
export function topicSlug(topic: Topic): string {
  return SLUGS[topic];
}

export function topicOf(slug: string | null): Topic | undefined {
  return TOPICS.find((topic) => SLUGS[topic] === slug);
}

export function topicKey(topic: Topic): `article.${Topic}` {
  return `article.${topic}`;
}
