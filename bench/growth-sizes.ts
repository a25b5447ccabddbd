/** Row counts of what grows; `times` 1 is the base. */
export type Sizes = {
  people: number;
  communities: number;
  activities: number;
  cohorts: number;
  /** In the largest thread of the largest community. */
  likesOfBusiest: number;
  repliesOfBusiest: number;
};

/**
 * Everything people create grows in proportion. Communities grow in number and size: a thousand times the people means
 * a hundred times the communities. The number of courses is fixed, their records grow with the people.
 */
export function sizesOf(times: number): Sizes {
  return {
    people: 100 * times,
    communities: Math.round(10 * times ** (2 / 3)),
    activities: 10_000 * times,
    cohorts: 10 * times,
    likesOfBusiest: 60 * times,
    repliesOfBusiest: 200 * times,
  };
}

export const COURSES = 20;
export const LESSONS = 10;

/** The number of the post with the largest thread. */
export const busiest = ({ activities }: Sizes) => Math.floor(activities * 0.6);

/** Numbers of people with known ids: the administrator, and the viewer, a member of the largest community. */
export const ADMINISTRATOR = 1;
export const VIEWER = 2;

const DAY = 86_400_000;

/**
 * Session functions that return the id of the nth person, community, cohort and activity, and of the kth reaction to an
 * activity. Ids are UUIDs version 7, as the product's are. Posts of both sizes are spread over 48 days.
 */
export function idFunctions(sizes: Sizes): string {
  const personStep = Math.floor((300 * DAY) / sizes.people);
  const startedAt = Math.floor(Date.now() / DAY) * DAY - 60 * DAY;
  const step = Math.floor((48 * DAY) / sizes.activities);
  const hex = (ms: string, rest: string) => `(lpad(to_hex(${ms}), 12, '0') || ${rest})::uuid`;
  const id = (name: string, args: string, text: string, type = 'uuid') =>
    `create or replace function pg_temp.${name}(${args}) returns ${type} language sql immutable return ${text};`;
  return [
    id('person', 'n bigint', hex(`${startedAt - 320 * DAY} + n * ${personStep}`, `'7abca000000000000001'`)),
    id('community', 'n bigint', hex(`${startedAt - 400 * DAY} + n`, `'7abca000000000000002'`)),
    id('cohort', 'n bigint', hex(`${startedAt - 400 * DAY} + n`, `'7abca000000000000003'`)),
    id('activity', 'n bigint', hex(`${startedAt} + n * ${step}`, `'7abca000000000000004'`)),
    id('activity_at', 'n bigint', `to_timestamp((${startedAt} + n * ${step}) / 1000.0)`, 'timestamptz'),
    // `gap` posts later, so that threads of one day are interleaved on disk.
    id(
      'reaction_at',
      'n bigint, gap bigint',
      `to_timestamp((${startedAt} + (n + gap) * ${step}) / 1000.0)`,
      'timestamptz',
    ),
    id(
      'reaction',
      'n bigint, gap bigint, k bigint',
      hex(`${startedAt} + (n + gap) * ${step}`, `'7abcb' || lpad(to_hex(n * 1000000 + k), 15, '0')`),
    ),
    // A deterministic number from 0 to 1 for n and salt.
    id('chance', 'n bigint, salt bigint', `(hashint8extended(n, salt) & 1073741823) / 1073741824.0::float8`, 'float8'),
  ].join('\n');
}
