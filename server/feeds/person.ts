import type { Translator } from '@officium/i18n/catalogue';

/** The name a page shows for a person; the API returns one English name for all deleted accounts. */
export function nameOf(
  { name, isDeleted }: { name: string; isDeleted?: true | undefined },
  t: Translator['t'],
): string {
  return isDeleted ? t('common.deleted_user') : name;
}
