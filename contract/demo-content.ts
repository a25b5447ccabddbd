import { z } from 'zod';
import { LISTED_KINDS } from './authoring.ts';
import { endpoint } from './endpoint.ts';

/** The demo content that a new installation starts with, and its removal. */

export const DEMO_STATES = ['none', 'present', 'removing', 'removed'] as const;
export type DemoState = (typeof DEMO_STATES)[number];
/** The issue of a removal whose `name` is not that of the site. */
export const SITE_NAME_DIFFERS = 'Must be the name of the site';

export const DemoContent = z.object({
  state: z
    .enum(DEMO_STATES)
    .describe(
      'none: never loaded here · present: loaded · removing: a job is removing it · removed: no start loads it again',
    ),
  pieces: z
    .array(z.object({ kind: z.enum(LISTED_KINDS), count: z.int() }))
    .describe('Published pieces of the demo by kind, of which there are any; lessons are part of their journey'),
  sitePages: z.int().describe('Texts of the site’s pages that are as the demo wrote them, by page and language'),
  accounts: z.int().describe('Accounts of the demo that a removal would erase: all but your own'),
  keepsOwn: z.boolean().describe('Your own account is one of the demo, and stays'),
  learners: z.int().describe('Other people who have begun a course or microcourse of the demo; their records stay'),
  members: z.int().describe('Other members of communities of the demo'),
});
export type DemoContent = z.output<typeof DemoContent>;

const admin = { service: 'admin', auth: 'admin', extension: true } as const;

export const readDemoContent = endpoint({
  ...admin,
  name: 'readDemoContent',
  method: 'GET',
  path: '/site/demo',
  summary: 'Read what is left of the demo content, and who uses it',
  replies: { 200: DemoContent },
});

export const removeDemoContent = endpoint({
  ...admin,
  name: 'removeDemoContent',
  method: 'POST',
  path: '/site/demo/removal',
  summary: 'Remove the demo content',
  description:
    'Needs a recent sign-in; `name` must repeat the name of the site. From now on no start loads the demo. A job withdraws its pieces, erases its accounts other than your own, and takes back its texts of the site’s pages that nobody changed. Learning records and certificates of other people stay. Again: removes what is left. 404 where no demo was loaded.',
  body: z.object({ name: z.string().max(1000) }),
  replies: { 200: DemoContent },
  errors: ['auth.recent_sign_in_required', 'request.not_found'],
});
