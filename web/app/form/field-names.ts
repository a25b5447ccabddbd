import type { MessageKey } from '../message-keys.ts';

/** Labels of form fields on visitor pages, by field name: the error summary uses them without script. */
const NAMES: Readonly<Record<string, MessageKey>> = {
  biography: 'auth.about_you',
  code: 'auth.code',
  cover_description: 'article.cover_alt',
  email: 'auth.email',
  jobTitle: 'auth.job_title',
  mailCode: 'auth.code',
  name: 'auth.name',
  organization: 'auth.organization',
  password: 'auth.password',
  picture_alt: 'compose.picture_alt',
  recoveryCode: 'auth.recovery_code',
};

export function fieldName(path: string): MessageKey | undefined {
  return Object.hasOwn(NAMES, path) ? NAMES[path] : undefined;
}
