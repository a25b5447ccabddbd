import type { SetupStep, SiteSetup } from '@officium/contract/site-setup';
import type { MessageKey } from '../../message-keys.ts';

export const STEP_TITLES = {
  name: 'admin.site_name',
  logo: 'admin.site_logo',
  colour: 'admin.site_accent',
  languages: 'admin.setup_languages',
  'sign-in': 'admin.setup_sign_in',
  mail: 'admin.setup_mail',
  pages: 'admin.setup_pages',
  demo: 'admin.demo',
} as const satisfies Record<SetupStep, MessageKey>;

export const addressOfStep = (step: SetupStep) => `/admin/setup/${step}`;

/** How many steps are done; those that were skipped are not. */
export function progressOf({ steps }: SiteSetup): { done: number; total: number } {
  return { done: steps.filter(({ outcome }) => outcome === 'done').length, total: steps.length };
}

export function isFinished({ steps }: SiteSetup): boolean {
  return steps.every(({ outcome }) => outcome !== null);
}

/** The first open step, else the first of all. */
export function nextOpen({ steps }: SiteSetup): SetupStep {
  return steps.find(({ outcome }) => outcome === null)?.step ?? 'name';
}
