import type { Config } from '../config.ts';
import { createEngine } from '../translation/engine.ts';
import { openApertium } from './apertium.ts';
import type { LanguageModel } from './language-model.ts';
import { openModelTranslation } from './language-model-translation.ts';
import type { TranslationEngine } from './translation.ts';

/** The engine of the settings; undefined when there is none. */
export function openTranslation(
  { translation, ai }: Pick<Config, 'translation' | 'ai'>,
  languageModel: LanguageModel | undefined,
): TranslationEngine | undefined {
  if (translation?.provider === 'apertium') return createEngine(openApertium(translation.url));
  if (translation && ai && languageModel) return createEngine(openModelTranslation(languageModel, ai.models));
  return undefined;
}
