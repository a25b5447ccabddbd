import { ARTICLE_TAGS, type ArticleTag, MAX_TOPICS } from '@officium/contract/content';
import { CONTACT_LIMITS } from '@officium/contract/course-contacts';
import { Email } from '@officium/contract/common';
import type { ContentfulJson, ExportEntry } from './contentful-export.format.ts';
import type { ExportFields } from './export-fields.format.ts';
import type { FolderContact } from './folder.format.ts';

/** Fields that content models use for topics. The first one is about topics alone. */
const TOPIC_FIELDS = ['topics', 'topic', 'tags', 'categories', 'category'];
const CONTACT_FIELDS = ['contacts', 'runBy', 'instructors'];

/** Other names of topics, as `keyOf` writes them. */
const ALSO: Readonly<Record<string, ArticleTag>> = {
  cities: 'topic_CitiesAndLocalGovernment',
  localgovernment: 'topic_CitiesAndLocalGovernment',
  climatechange: 'topic_Climate',
  digital: 'topic_DigitalAndData',
  data: 'topic_DigitalAndData',
  equity: 'topic_EquityJusticeAndInclusion',
  inclusion: 'topic_EquityJusticeAndInclusion',
  health: 'topic_HealthAndSocialCare',
  socialcare: 'topic_HealthAndSocialCare',
  leadership: 'topic_LeadershipAndSkills',
  skills: 'topic_LeadershipAndSkills',
  policy: 'topic_Policymaking',
  infrastructure: 'topic_TransportAndInfrastructure',
  transport: 'topic_TransportAndInfrastructure',
  economy: 'topic_WorkAndTheEconomy',
  work: 'topic_WorkAndTheEconomy',
};

/** Reduces a name to its letters without joining words: "Work & the economy" and `topic_WorkAndTheEconomy` are equal. */
function keyOf(name: string): string {
  const words = name
    .trim()
    .replace(/^topic[_:\s-]+/i, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter((word) => word !== 'and' && word !== 'the').join('');
}

const BY_KEY = new Map<string, ArticleTag>([
  ...Object.entries(ALSO),
  ...ARTICLE_TAGS.map((topic): [string, ArticleTag] => [keyOf(topic), topic]),
]);

/** Returns the topic of a name in any common spelling. */
export function topicNamed(name: string): ArticleTag | undefined {
  return BY_KEY.get(keyOf(name));
}

type Warn = (field: string, message: string) => void;

/** Returns the topics of an entry: names, or links to entries with a slug, name or title. */
export function topicsOf(fields: ExportFields, entry: ExportEntry, warn: Warn): ArticleTag[] {
  const found = new Set<ArticleTag>();
  for (const field of TOPIC_FIELDS) {
    const linked = fields.links(entry, [field]).map((topic) => oneOf(namesOf(fields, topic)));
    const written = fields.list(entry, [field]).flatMap((value) => (typeof value === 'string' ? inText(value) : []));
    for (const name of [...linked, ...written])
      if (isTopic(name)) found.add(name);
      else if (field === 'topics') warn('fields.topics', `${name} is not one of the twelve topics: left out`);
  }
  if (found.size > MAX_TOPICS) warn('fields.topics', `At most ${MAX_TOPICS} topics: the first ones are used`);
  return [...found].slice(0, MAX_TOPICS);
}

const isTopic = (value: string): value is ArticleTag => ARTICLE_TAGS.some((topic) => topic === value);

/** Returns the topic that one of the names of a thing stands for, else its first name. */
function oneOf(names: string[]): string {
  return names.map(topicNamed).find((topic) => topic !== undefined) ?? names[0] ?? '';
}

/** Returns the topics of a text: one name, which may contain a comma, or several separated by commas. */
function inText(text: string): string[] {
  return (topicNamed(text) === undefined ? text.split(',') : [text])
    .map((name) => oneOf([name.trim()]))
    .filter((name) => name !== '');
}

function namesOf(fields: ExportFields, entry: ExportEntry): string[] {
  const texts = (['name', 'title', 'slug', 'label', 'id'] as const).map((name) => fields.value(entry, [name]));
  return texts.filter((text: ContentfulJson | undefined) => typeof text === 'string');
}

/** Returns who runs a course: links to entries with a name and optionally a role and an e-mail address, or names. */
export function contactsOf(fields: ExportFields, entry: ExportEntry): FolderContact[] {
  for (const field of CONTACT_FIELDS) {
    const linked = fields.links(entry, [field]).flatMap((person): FolderContact[] => {
      const [name] = namesOf(fields, person);
      if (name === undefined) return [];
      const role = fields.texts(person, ['role', 'jobTitle', 'position']);
      const email = Email.safeParse(fields.value(person, ['email', 'emailAddress']));
      return [{ name: cut(name), ...(role ? { role } : {}), ...(email.success ? { email: email.data } : {}) }];
    });
    const named = fields
      .list(entry, [field])
      .flatMap((value) => (typeof value === 'string' ? [{ name: cut(value) }] : []));
    const contacts = [...linked, ...named].filter(({ name }) => name !== '').slice(0, CONTACT_LIMITS.contacts);
    if (contacts.length > 0) return contacts;
  }
  return [];
}

const cut = (name: string) => [...name.trim()].slice(0, CONTACT_LIMITS.name).join('');
