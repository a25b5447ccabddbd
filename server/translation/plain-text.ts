import { translatePassages, type TranslateTexts } from './passages.ts';
import { createCounter, protect, restore, type Kept } from './protected.ts';
import { withSpaceOf } from './marked-text.ts';

/** Translates line by line and keeps addresses and mentions. */
export async function translatePlainText(text: string, translateTexts: TranslateTexts): Promise<string> {
  const lines = text.split(/(\r\n?|\n)/);
  const kept: Kept = new Map();
  const counter = createCounter();
  const passages = lines.map((line) => ({ pieces: protect(line.trim(), kept, counter) }));
  const translated = await translatePassages(passages, translateTexts);
  return lines
    .map((line, index) => (line.trim() === '' ? line : withSpaceOf(line, restore(translated[index] ?? [], kept))))
    .join('');
}
