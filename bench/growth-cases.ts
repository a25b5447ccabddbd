import type pg from 'pg';
import { addressOf } from '../contract/client.ts';
import { ENDPOINTS } from '../contract/services.ts';

/** A request to the product. `as` is the viewer; `isAnew` invalidates cached answers first. */
export type Case = {
  name: string;
  as: 'viewer' | 'administrator' | 'anonymous';
  url: string;
  body?: object;
  isAfterChange?: boolean;
};

/** Rows the requests refer to. `person` is a rare name. */
type Things = { quiet: string; busiest: string; cohort: string; person: string; small: string };

async function findThings(client: pg.ClientBase): Promise<Things> {
  const { rows } = await client.query<Things>(`
    select (select a.id from activities a where a.community_id = c.id and reply_count = 2 order by id desc offset 1000 limit 1) as quiet,
      (select a.id from activities a where a.community_id = c.id order by reply_count desc limit 1) as busiest,
      (select id from cohorts where name = 'Cohort 1') as cohort,
      (select split_part(name, ' ', 2) from users order by id offset 50 limit 1) as person,
      (select slug from communities where activity_count(id) > 60 and privacy = 'open-visible' order by activity_count(id) limit 1) as small
    from communities c where slug = 'c-1'`);
  return rows[0]!; // exactly one community has this slug
}

function urlOf(name: string, params: Record<string, string> = {}, query: Record<string, string> = {}): string {
  const endpoint = ENDPOINTS.find((candidate) => candidate.name === name);
  if (!endpoint) throw new Error(`The contract has no ${name}.`);
  return addressOf(endpoint, { params, query });
}

/** The most frequent reads: feeds, threads, members, search, cohorts, catalogue, inbox, learning, communities. */
export async function casesOf(client: pg.ClientBase): Promise<Case[]> {
  const { quiet, busiest, cohort, person, small } = await findThings(client);
  const at = { slug: 'c-1' };
  const viewer = (name: string, url: string, body?: object): Case => ({
    name,
    as: 'viewer',
    url,
    ...(body && { body }),
  });
  const anonymous = (name: string, url: string): Case => ({ name, as: 'anonymous', url });
  const administrator = (name: string, url: string): Case => ({ name, as: 'administrator', url });
  const cached = (one: Case): Case[] => [one, { ...one, name: `${one.name}, after a change`, isAfterChange: true }];
  const feed = (query: Record<string, string> = {}, slug = 'c-1') => urlOf('listActivities', { slug }, query);
  const find = (q: string, query: Record<string, string> = {}) => urlOf('search', {}, { q, ...query });
  return [
    ...cached(viewer('feed', feed())),
    ...cached(anonymous('feed, signed out', feed())),
    ...cached(viewer('feed, newest', feed({ ranking: 'recent_with_pin' }))),
    viewer('feed, testing', feed({ ranking: 'community_feed_testing' })),
    viewer('feed, page 10', feed({ offset: '270' })),
    viewer('feed, last possible page', feed({ offset: '3900' })),
    viewer('feed, one category', feed({ category: 'practice' })),
    viewer('feed, a category with one post in a thousand', feed({ category: 'seldom' })),
    viewer('feed of a small community', feed({}, small)),
    viewer('community page', urlOf('readCommunity', at)),
    viewer('post', urlOf('readActivity', { ...at, id: quiet })),
    ...cached(viewer('thread of 2 replies', urlOf('listActivityReactions', { ...at, id: quiet }, { kind: 'reply' }))),
    ...cached(
      viewer(
        'busiest thread, newest replies',
        urlOf('listActivityReactions', { ...at, id: busiest }, { kind: 'reply' }),
      ),
    ),
    viewer('busiest thread, likes', urlOf('listActivityReactions', { ...at, id: busiest }, { kind: 'like' })),
    viewer('members', urlOf('listMembers', at)),
    viewer('members, page 3', urlOf('listMembers', at, { offset: '40' })),
    viewer('members by name', urlOf('listMembers', at, { 'user.name': person })),
    viewer('members by a common name', urlOf('listMembers', at, { 'user.name': 'Dmitri' })),
    viewer('search, a word in most posts', find('people')),
    viewer('search, a rare word', find('rare77')),
    viewer('search, two frequent words', find('people service')),
    viewer('search, a frequent and a rare word', find('service rare77')),
    viewer('search, a phrase', find('"people service"')),
    viewer('search, in Arabic', find('البلدية')),
    viewer('search, in Japanese', find('窓口')),
    viewer('search, a word without matches', find('qqxzwjjk')),
    viewer('search, posts only', find('office', { group: 'posts' })),
    viewer('search in a large community', find('people', { community: 'c-1' })),
    viewer('search in a small community', find('people', { community: small })),
    viewer('search of the last week', find('people', { within: 'week' })),
    viewer('search of a day long ago', find('service', { to: '2026-01-31' })),
    anonymous('search, signed out', find('office')),
    viewer('people by name', urlOf('searchUsers'), { match: person }),
    viewer('people by a common name', urlOf('searchUsers'), { match: 'Dmitri' }),
    administrator('cohorts', urlOf('listCohorts')),
    administrator('cohorts by name', urlOf('listCohorts', {}, { sort: 'name' })),
    administrator('cohorts that match', urlOf('listCohorts', {}, { match: 'cohort 7' })),
    administrator('cohort', urlOf('readCohort', { id: cohort })),
    administrator('members of the largest cohort', urlOf('listCohortUsers', { id: cohort })),
    administrator('invitations of the largest cohort', urlOf('listCohortInvitations', { id: cohort })),
    viewer('catalogue', urlOf('listCatalogue')),
    anonymous('catalogue, signed out', urlOf('listCatalogue')),
    viewer('course', urlOf('readCourse', { courseSlug: 'course-3' })),
    viewer('lesson', urlOf('readLesson', { courseSlug: 'course-3', journeySlug: 'main', lessonSlug: 'lesson-1' })),
    viewer('my learning', urlOf('readMyLearning')),
    viewer('inbox', urlOf('listNotifications')),
    viewer('inbox, count', urlOf('countNotifications')),
    viewer('communities', urlOf('listCommunities')),
    anonymous('communities, signed out', urlOf('listCommunities')),
    viewer('my communities', urlOf('listCommunities', {}, { show: 'mine' })),
    viewer('communities that match', urlOf('listCommunities', {}, { find: 'field 7' })),
    viewer('my activities', urlOf('listMyActivities', { id: 'me' })),
  ];
}
