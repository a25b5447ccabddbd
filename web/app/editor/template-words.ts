import { useText } from '../text.tsx';
import type { TemplateWords } from './markdown-blocks.ts';

/** The words of block templates in the language of the interface. */
export function useTemplateWords(): TemplateWords {
  const { t } = useText();
  return {
    title: t('article.template_title'),
    text: t('article.template_text'),
    question: t('article.template_question'),
    right: t('article.template_right'),
    wrong: t('article.template_wrong'),
    rightWhy: t('article.template_right_why'),
    wrongWhy: t('article.template_wrong_why'),
    stepOne: t('article.template_step', { number: 1 }),
    stepTwo: t('article.template_step', { number: 2 }),
  };
}
