import { z } from 'zod';
import { Email, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';

/** The steps of the set-up assistant, in order. */
export const SETUP_STEPS = ['name', 'logo', 'colour', 'languages', 'sign-in', 'mail', 'pages', 'demo'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];
export const SETUP_OUTCOMES = ['done', 'skipped'] as const;

const step = z.enum(SETUP_STEPS);
const outcome = z.enum(SETUP_OUTCOMES);

export const SiteSetup = z.object({
  steps: z
    .array(z.object({ step, outcome: outcome.nullable().describe('null: still open') }))
    .describe('Every step, in order; `demo` only where demo content was loaded'),
  putAwayAt: Timestamp.nullable().describe('When an administrator put the assistant away; null while it is offered'),
  isFirstVisit: z.boolean().describe('No administrator has used the assistant, and nobody else has an account'),
});
export type SiteSetup = z.output<typeof SiteSetup>;

/** Settings of the environment that administrators see, because they override or complete those of the site. */
export const SHOWN_SETTINGS = [
  'PROVIDER_NAME',
  'PUBLIC_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'OIDC_ISSUER',
  'OIDC_NAME',
  'ADMIN_SECOND_FACTOR',
] as const;
export type ShownSetting = (typeof SHOWN_SETTINGS)[number];

const admin = { service: 'admin', auth: 'admin', extension: true } as const;

export const readSiteSetup = endpoint({
  ...admin,
  name: 'readSiteSetup',
  method: 'GET',
  path: '/site/setup',
  summary: 'Read how far the set-up assistant is',
  replies: { 200: SiteSetup },
});

export const updateSiteSetup = endpoint({
  ...admin,
  name: 'updateSiteSetup',
  method: 'PUT',
  path: '/site/setup',
  summary: 'Put the set-up assistant away, or take it out again',
  description: 'The outcomes of the steps stay as they are.',
  body: z.object({ isPutAway: z.boolean() }),
  replies: { 200: SiteSetup },
});

export const updateSetupStep = endpoint({
  ...admin,
  name: 'updateSetupStep',
  method: 'PUT',
  path: '/site/setup/{step}',
  summary: 'Record the outcome of a set-up step',
  description: 'The settings themselves are changed by their own operations.',
  params: z.object({ step }),
  body: z.object({ outcome }),
  replies: { 200: SiteSetup },
});

export const readServerSettings = endpoint({
  ...admin,
  name: 'readServerSettings',
  method: 'GET',
  path: '/site/server-settings',
  summary: 'Read the settings of the environment that concern the site',
  description: 'Never contains a password or key. They are changed in the environment of the server.',
  replies: {
    200: z.object({
      settings: z.array(
        z.object({
          name: z.enum(SHOWN_SETTINGS),
          isSet: z.boolean().describe('Set in the environment; otherwise the value is the default'),
          value: z.string().nullable().describe('The value in force; of `SMTP_URL` the host and port only'),
        }),
      ),
    }),
  },
});

export const TEST_MAIL_OUTCOMES = ['accepted', 'refused', 'unreachable', 'stored'] as const;

export const sendTestMail = endpoint({
  ...admin,
  name: 'sendTestMail',
  method: 'POST',
  path: '/site/test-mail',
  summary: 'Send a test message to your own address',
  description:
    'Goes to the mail server at once, past the outbox, and answers with what the server said. At most ten an hour per account.',
  replies: {
    200: z.object({
      to: Email,
      outcome: z
        .enum(TEST_MAIL_OUTCOMES)
        .describe(
          'accepted: by the mail server · refused: by the mail server · unreachable: no mail server answered · stored: as a file, because no mail server is configured',
        ),
      answer: z.string().nullable().describe('What the mail server answered, or why it could not be reached'),
    }),
  },
});
