import * as account from './account.ts';
import * as admin from './admin.ts';
import * as ai from './ai.ts';
import * as assets from './assets.ts';
import * as audit from './audit.ts';
import * as auth from './auth.ts';
import { createClient, fetchSend, type Client, type FetchOptions } from './client.ts';
import * as community from './community.ts';
import * as content from './content.ts';
import * as enrolment from './enrolment.ts';
import * as jobTasks from './job-tasks.ts';
import * as learner from './learner.ts';
import * as lessonDiscussions from './lesson-discussions.ts';
import * as notifications from './notifications.ts';
import * as people from './people.ts';
import * as peopleRecords from './people-records.ts';
import * as personalData from './personal-data.ts';
import * as polls from './polls.ts';
import * as search from './search.ts';
import * as shares from './shares.ts';
import * as translation from './translation.ts';

export { ApiError, type ApiErrorBody } from './client.ts';

/** Every operation of the API, by service. */
export type Officium = {
  account: Client<typeof account> & Client<typeof personalData>;
  admin: Client<typeof admin> & Client<typeof audit>;
  ai: Client<typeof ai> & Client<typeof jobTasks>;
  assets: Client<typeof assets>;
  auth: Client<typeof auth>;
  community: Client<typeof community> & Client<typeof polls> & Client<typeof lessonDiscussions>;
  content: Client<typeof content> & Client<typeof shares> & Client<typeof translation>;
  enrolment: Client<typeof enrolment>;
  learner: Client<typeof learner>;
  notifications: Client<typeof notifications>;
  people: Client<typeof people> & Client<typeof peopleRecords>;
  search: Client<typeof search>;
};

/**
 * A client for the whole API. It keeps its session in memory, as a browser would: make one for each person. A program
 * that needs a few operations only takes `createClient` and the modules it uses.
 */
export function createOfficium(options: FetchOptions): Officium {
  const send = fetchSend(options);
  return {
    account: { ...createClient(account, send), ...createClient(personalData, send) },
    admin: { ...createClient(admin, send), ...createClient(audit, send) },
    ai: { ...createClient(ai, send), ...createClient(jobTasks, send) },
    assets: createClient(assets, send),
    auth: createClient(auth, send),
    community: {
      ...createClient(community, send),
      ...createClient(polls, send),
      ...createClient(lessonDiscussions, send),
    },
    content: { ...createClient(content, send), ...createClient(shares, send), ...createClient(translation, send) },
    enrolment: createClient(enrolment, send),
    learner: createClient(learner, send),
    search: createClient(search, send),
    notifications: createClient(notifications, send),
    people: { ...createClient(people, send), ...createClient(peopleRecords, send) },
  };
}
