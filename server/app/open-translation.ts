import type { Config } from '#server/config.ts';
import { createEngine } from '#server/translation/engine.ts';
import { openApertium } from '#server/outside/apertium.ts';
import type { LanguageModel } from '#server/outside/language-model.ts';
import { openModelTranslation } from '#server/outside/language-model-translation.ts';
import type { TranslationEngine } from '#server/translation/translation.ts';

/** The configured translation provider; undefined when there is none. */
export function openTranslation(
  { translation, ai }: Pick<Config, 'translation' | 'ai'>,
  languageModel: LanguageModel | undefined,
): TranslationEngine | undefined {
  if (translation?.provider === 'apertium') return createEngine(openApertium(translation.url));
  if (translation && ai && languageModel) return createEngine(openModelTranslation(languageModel, ai.models));
  return undefined;
}
