import type pg from 'pg';
import { addressOf } from '../contract/client.ts';
import { ENDPOINTS } from '../contract/services.ts';

/** A request of the product; `as`: who asks; `isAnew`: just after something that many pages show was changed. */
export type Case = {
  name: string;
  as: 'reader' | 'administrator' | 'nobody';
  url: string;
  body?: object;
  isAnew?: boolean;
};

/** What is asked about, found in the database. `person`: a name that one or few have. */
type Things = { quiet: string; busiest: string; cohort: string; person: string; small: string };

async function findThings(client: pg.ClientBase): Promise<Things> {
  const { rows } = await client.query<Things>(`
    select (select a.id from activities a where a.community_id = c.id and reply_count = 2 order by id desc offset 1000 limit 1) as quiet,
      (select a.id from activities a where a.community_id = c.id order by reply_count desc limit 1) as busiest,
      (select id from cohorts where name = 'Cohort 1') as cohort,
      (select split_part(name, ' ', 2) from users order by id offset 50 limit 1) as person,
      (select slug from communities where activity_count(id) > 60 and privacy = 'open-visible' order by activity_count(id) limit 1) as small
    from communities c where slug = 'c-1'`);
  return rows[0]!; // one community has this name
}

function urlOf(name: string, params: Record<string, string> = {}, query: Record<string, string> = {}): string {
  const endpoint = ENDPOINTS.find((candidate) => candidate.name === name);
  if (!endpoint) throw new Error(`The contract has no ${name}.`);
  return addressOf(endpoint, { params, query });
}

/** What is read most: feeds, threads, members, search, cohorts, catalogue, inbox, learning, communities. */
export async function casesOf(client: pg.ClientBase): Promise<Case[]> {
  const { quiet, busiest, cohort, person, small } = await findThings(client);
  const at = { slug: 'c-1' };
  const reader = (name: string, url: string, body?: object): Case => ({
    name,
    as: 'reader',
    url,
    ...(body && { body }),
  });
  const nobody = (name: string, url: string): Case => ({ name, as: 'nobody', url });
  const administrator = (name: string, url: string): Case => ({ name, as: 'administrator', url });
  const remembered = (one: Case): Case[] => [one, { ...one, name: `${one.name}, after a change`, isAnew: true }];
  const feed = (query: Record<string, string> = {}, slug = 'c-1') => urlOf('listActivities', { slug }, query);
  const find = (q: string, query: Record<string, string> = {}) => urlOf('search', {}, { q, ...query });
  return [
    ...remembered(reader('feed', feed())),
    ...remembered(nobody('feed, signed out', feed())),
    ...remembered(reader('feed, newest', feed({ ranking: 'recent_with_pin' }))),
    reader('feed, testing', feed({ ranking: 'community_feed_testing' })),
    reader('feed, page 10', feed({ offset: '270' })),
    reader('feed, the last page that can be asked for', feed({ offset: '3900' })),
    reader('feed, one category', feed({ category: 'practice' })),
    reader('feed, a category of one post in a thousand', feed({ category: 'seldom' })),
    reader('feed of a small community', feed({}, small)),
    reader('community page', urlOf('readCommunity', at)),
    reader('post', urlOf('readActivity', { ...at, id: quiet })),
    ...remembered(
      reader('thread of 2 replies', urlOf('listActivityReactions', { ...at, id: quiet }, { kind: 'reply' })),
    ),
    ...remembered(
      reader(
        'busiest thread, newest replies',
        urlOf('listActivityReactions', { ...at, id: busiest }, { kind: 'reply' }),
      ),
    ),
    reader('busiest thread, likes', urlOf('listActivityReactions', { ...at, id: busiest }, { kind: 'like' })),
    reader('members', urlOf('listMembers', at)),
    reader('members, page 3', urlOf('listMembers', at, { offset: '40' })),
    reader('members by name', urlOf('listMembers', at, { 'user.name': person })),
    reader('members by a name of many', urlOf('listMembers', at, { 'user.name': 'Dmitri' })),
    reader('search, a word in most posts', find('people')),
    reader('search, a rare word', find('rare77')),
    reader('search, two frequent words', find('people service')),
    reader('search, a frequent and a rare word', find('service rare77')),
    reader('search, a phrase', find('"people service"')),
    reader('search, in Arabic', find('البلدية')),
    reader('search, in Japanese', find('窓口')),
    reader('search, a word nobody wrote', find('qqxzwjjk')),
    reader('search, posts only', find('office', { group: 'posts' })),
    nobody('search, signed out', find('office')),
    reader('people by name', urlOf('searchUsers'), { match: person }),
    reader('people by a name of many', urlOf('searchUsers'), { match: 'Dmitri' }),
    administrator('cohorts', urlOf('listCohorts')),
    administrator('cohorts by name', urlOf('listCohorts', {}, { sort: 'name' })),
    administrator('cohorts that match', urlOf('listCohorts', {}, { match: 'cohort 7' })),
    administrator('cohort', urlOf('readCohort', { id: cohort })),
    administrator('members of the largest cohort', urlOf('listCohortUsers', { id: cohort })),
    administrator('invitations of the largest cohort', urlOf('listCohortInvitations', { id: cohort })),
    reader('catalogue', urlOf('listCatalogue')),
    nobody('catalogue, signed out', urlOf('listCatalogue')),
    reader('course', urlOf('readCourse', { courseSlug: 'course-3' })),
    reader('lesson', urlOf('readLesson', { courseSlug: 'course-3', journeySlug: 'main', lessonSlug: 'lesson-1' })),
    reader('my learning', urlOf('readMyLearning')),
    reader('inbox', urlOf('listNotifications')),
    reader('inbox, count', urlOf('countNotifications')),
    reader('communities', urlOf('listCommunities')),
    nobody('communities, signed out', urlOf('listCommunities')),
    reader('my communities', urlOf('listCommunities', {}, { show: 'mine' })),
    reader('communities that match', urlOf('listCommunities', {}, { find: 'field 7' })),
    reader('what somebody wrote', urlOf('listMyActivities', { id: 'me' })),
  ];
}
