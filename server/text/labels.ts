import { createTranslator } from '@officium/i18n/catalogue';
import type { Locale } from '@officium/i18n/locales';
import type { RenderOptions } from './markdown.ts';

/** Returns the words that rendering adds to a text, in the language of the text. */
export function textLabels(locale: Locale): Required<Pick<RenderOptions, 'tableLabel' | 'taskLabels' | 'mediaLabels'>> {
  const { t } = createTranslator(locale);
  return {
    tableLabel: t('content.table'),
    mediaLabels: { locale, transcript: t('content.media_transcript') },
    taskLabels: { open: t('content.task_open'), done: t('content.task_done') },
  };
}
