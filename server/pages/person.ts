import type { Translator } from '@officium/i18n/catalogue';

/** What a page calls a person: answers give every deleted account the same English name. */
export function nameOf(
  { name, isDeleted }: { name: string; isDeleted?: true | undefined },
  t: Translator['t'],
): string {
  return isDeleted ? t('common.deleted_user') : name;
}
