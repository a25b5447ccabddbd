import * as account from './account.ts';
import * as admin from './admin.ts';
import * as ai from './ai.ts';
import * as assets from './assets.ts';
import * as auth from './auth.ts';
import * as community from './community.ts';
import * as content from './content.ts';
import * as enrolment from './enrolment.ts';
import * as learner from './learner.ts';
import * as lessonDiscussions from './lesson-discussions.ts';
import * as people from './people.ts';
import * as peopleRecords from './people-records.ts';
import * as polls from './polls.ts';
import * as shares from './shares.ts';
import * as translation from './translation.ts';
import type { Endpoint } from './endpoint.ts';

const modules = {
  account,
  ai,
  admin,
  assets,
  auth,
  community,
  content,
  enrolment,
  learner,
  lessonDiscussions,
  people,
  peopleRecords,
  polls,
  shares,
  translation,
};

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'replies' in value && 'service' in value;
}

/** Every operation there is, for the documentation and for the checks that look at all of them. */
export const ENDPOINTS: readonly Endpoint[] = Object.values(modules).flatMap((module) =>
  Object.values(module as Record<string, unknown>).filter(isEndpoint),
);
