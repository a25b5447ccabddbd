import * as account from './account.ts';
import * as assets from './assets.ts';
import * as auth from './auth.ts';
import * as community from './community.ts';
import * as content from './content.ts';
import * as learner from './learner.ts';
import * as lessonDiscussions from './lesson-discussions.ts';
import * as polls from './polls.ts';
import type { Endpoint } from './endpoint.ts';

const modules = { account, assets, auth, community, content, learner, lessonDiscussions, polls };

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'replies' in value && 'service' in value;
}

/** Every operation there is, for the documentation and for the checks that look at all of them. */
export const ENDPOINTS: readonly Endpoint[] = Object.values(modules).flatMap((module) =>
  Object.values(module as Record<string, unknown>).filter(isEndpoint),
);
