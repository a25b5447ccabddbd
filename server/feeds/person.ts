import type { Translator } from '@officium/i18n/catalogue';

/** The name that a page shows for a person; deleted accounts all have one English name in answers. */
export function nameOf(
  { name, isDeleted }: { name: string; isDeleted?: true | undefined },
  t: Translator['t'],
): string {
  return isDeleted ? t('common.deleted_user') : name;
}
