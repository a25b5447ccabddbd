import { createTranslator } from '@officium/i18n/catalogue';
import type { Locale } from '@officium/i18n/locales';
import type { RenderOptions } from './markdown.ts';

type Labels = Required<Pick<RenderOptions, 'tableLabel' | 'taskLabels' | 'blockLabels' | 'mediaLabels' | 'quizLabels'>>;

/** Returns the words that rendering adds to a text, in the language of the text. */
export function textLabels(locale: Locale): Labels {
  const { t } = createTranslator(locale);
  return {
    tableLabel: t('content.table'),
    mediaLabels: {
      locale,
      transcript: t('content.media_transcript'),
      outside: (site) => t('content.media_outside', { site }),
    },
    taskLabels: { open: t('content.task_open'), done: t('content.task_done') },
    blockLabels: {
      note: t('content.block_note'),
      tip: t('content.block_tip'),
      warning: t('content.block_warning'),
      example: t('content.block_example'),
      reflect: t('content.block_reflect'),
    },
    quizLabels: {
      one: t('content.quiz_one'),
      many: t('content.quiz_many'),
      match: t('content.quiz_match'),
      choose: t('content.quiz_choose'),
      order: t('content.quiz_order'),
      gaps: t('content.quiz_gaps'),
      gap: t('content.quiz_gap'),
      hint: t('content.quiz_hint'),
      right: t('content.quiz_true'),
      wrong: t('content.quiz_false'),
      words: (count) => t('content.quiz_words', { count }),
      answer: t('content.quiz_answer'),
      check: t('content.quiz_check'),
      offline: t('content.quiz_offline'),
    },
  };
}
