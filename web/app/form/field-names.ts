import type { MessageKey } from '../message-keys.ts';

/** What the fields of pages for visitors are called, by their names in forms: an error summary names them without script. */
const NAMES: Readonly<Record<string, MessageKey>> = {
  biography: 'auth.about_you',
  code: 'auth.code',
  email: 'auth.email',
  jobTitle: 'auth.job_title',
  mailCode: 'auth.code',
  name: 'auth.name',
  organization: 'auth.organization',
  password: 'auth.password',
  recoveryCode: 'auth.recovery_code',
};

export function fieldName(path: string): MessageKey | undefined {
  return Object.hasOwn(NAMES, path) ? NAMES[path] : undefined;
}
