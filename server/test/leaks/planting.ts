import type { Endpoint } from '@officium/contract/endpoint';
import type { As, Sent, TestApp } from '../app.ts';
import { narrow } from '../authority/subjects.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';

/**
 * The callers, from anonymous to administrator. `courseOwner` has all roles of content in another course. `victim` owns the planted records; `narrowed` is a session of theirs
 * whose token includes no community and no course.
 */
export const CALLERS = [
  'anonymous',
  'inactive',
  'newcomer',
  'stranger',
  'member',
  'moderator',
  'owner',
  'courseOwner',
  'administrator',
  'victim',
  'narrowed',
] as const;
export type Caller = (typeof CALLERS)[number];
export type People = Record<Exclude<Caller, 'anonymous'>, TestPerson>;

/** Records of a person in a place, and content of the place that they know. */
export const HELD = ['victim'] as const;
export const PRIVATE = ['victim', 'administrator'] as const;
/** Records of the account itself, the same for each session. */
export const OWN = ['victim', 'narrowed'] as const;
export const OWN_PRIVATE = ['victim', 'narrowed', 'administrator'] as const;
export const ADMINISTRATOR = ['administrator'] as const;
export const NOBODY = [] as const;
/** Signed-in callers with an active account. */
export const ACCOUNTS = CALLERS.filter((caller) => caller !== 'anonymous' && caller !== 'inactive');
export const PUBLIC_SERVANTS = ACCOUNTS.filter((caller) => caller !== 'newcomer');

/** A text planted in the fixture, and the only callers it may reach. */
export type Secret = {
  what: string;
  text: string;
  seenBy: readonly Caller[];
  /** A caller whose request contains one of these may get the text back. */
  unlessNamed: string[];
};

/** Values for path parameters, by the segment before: `activities/id`. */
export type Names = Record<string, (string | undefined)[]>;

/** A slug that never existed. */
export const NO_SLUG = 'no-such-thing';

/** A word that occurs nowhere else. */
export const marked = (what: string) => `zz${what.replace(/\W/g, '')}zz`;

export type Planting = {
  test: TestApp;
  people: People;
  secrets: Secret[];
  /** Records a secret and returns its text, a single word. */
  plant(what: string, seenBy: readonly Caller[], unlessNamed?: string[]): string;
  /** The place of an object: a course or community by id or slug. */
  homes: Map<string, string[]>;
  /** Calls that must succeed, because an incomplete fixture proves nothing. */
  call(endpoint: Endpoint, as: As, sent?: Sent): Promise<any>; // any: bodies of many operations
};

export async function startPlanting(test: TestApp): Promise<Planting> {
  const secrets: Secret[] = [];
  const victim = await makePerson(test, { name: 'Vera Victim', visibility: 'private' });
  const people = {
    inactive: await makePerson(test, { role: 'inactive' }),
    newcomer: await makePerson(test, { role: 'non-public-servant' }),
    stranger: await makePerson(test),
    member: await makePerson(test),
    moderator: await makePerson(test),
    owner: await makePerson(test),
    courseOwner: await makePerson(test),
    administrator: await makePerson(test, { role: 'administrator' }),
    victim,
    narrowed: { ...victim, as: await narrow(test, victim, { communities: {}, courses: {} }) },
  };
  return {
    test,
    people,
    secrets,
    homes: new Map(),
    plant(what, seenBy, unlessNamed = []) {
      secrets.push({ what, text: marked(what), seenBy, unlessNamed });
      return marked(what);
    },
    async call(endpoint, as, sent) {
      const { status, body } = await test.call(endpoint, as, sent);
      if (status >= 300) throw new Error(`${endpoint.name}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
  };
}
