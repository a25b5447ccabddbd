/** How many rows there are of what grows; `times` 1 is the base. */
export type Sizes = {
  people: number;
  communities: number;
  activities: number;
  cohorts: number;
  /** Of the thread with the most, in the largest community. */
  likesOfBusiest: number;
  repliesOfBusiest: number;
};

/**
 * Everything people make grows in proportion. Communities become more and larger: at a thousand times the people there
 * are a hundred times the communities. Courses stay as many as they are, their records grow with the people.
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

/** The post with the busiest thread. */
export const busiest = ({ activities }: Sizes) => Math.floor(activities * 0.6);

/** Whose id is known without looking: the administrator, and who reads, a member of the largest community. */
export const ADMINISTRATOR = 1;
export const READER = 2;

const DAY = 86_400_000;

/**
 * Functions of the session that say the ids of the nth person, community, cohort and activity, and of the kth reaction to
 * an activity; ids are UUIDs of the moment, as the product's are. The posts of both sizes are spread over 48 days.
 */
export function idFunctions(sizes: Sizes): string {
  const personStep = Math.floor((300 * DAY) / sizes.people);
  const begun = Math.floor(Date.now() / DAY) * DAY - 60 * DAY;
  const step = Math.floor((48 * DAY) / sizes.activities);
  const hex = (ms: string, rest: string) => `(lpad(to_hex(${ms}), 12, '0') || ${rest})::uuid`;
  const id = (name: string, args: string, text: string, type = 'uuid') =>
    `create or replace function pg_temp.${name}(${args}) returns ${type} language sql immutable return ${text};`;
  return [
    id('person', 'n bigint', hex(`${begun - 320 * DAY} + n * ${personStep}`, `'7abca000000000000001'`)),
    id('community', 'n bigint', hex(`${begun - 400 * DAY} + n`, `'7abca000000000000002'`)),
    id('cohort', 'n bigint', hex(`${begun - 400 * DAY} + n`, `'7abca000000000000003'`)),
    id('activity', 'n bigint', hex(`${begun} + n * ${step}`, `'7abca000000000000004'`)),
    id('activity_at', 'n bigint', `to_timestamp((${begun} + n * ${step}) / 1000.0)`, 'timestamptz'),
    // After as many other posts as `gap` says, so that the threads of a day lie mixed on the disk.
    id('reaction_at', 'n bigint, gap bigint', `to_timestamp((${begun} + (n + gap) * ${step}) / 1000.0)`, 'timestamptz'),
    id(
      'reaction',
      'n bigint, gap bigint, k bigint',
      hex(`${begun} + (n + gap) * ${step}`, `'7abcb' || lpad(to_hex(n * 1000000 + k), 15, '0')`),
    ),
    // A number from 0 to 1 that is always the same for n and salt.
    id('chance', 'n bigint, salt bigint', `(hashint8extended(n, salt) & 1073741823) / 1073741824.0::float8`, 'float8'),
  ].join('\n');
}
