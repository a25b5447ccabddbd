import { translatePassages, type Say } from './passages.ts';
import { createCounter, protect, restore, type Kept } from './protected.ts';
import { withSpaceOf } from './marked-text.ts';

/** Translates line by line; addresses and mentions stay. */
export async function translatePlainText(text: string, say: Say): Promise<string> {
  const lines = text.split(/(\r\n?|\n)/);
  const kept: Kept = new Map();
  const counter = createCounter();
  const passages = lines.map((line) => ({ pieces: protect(line.trim(), kept, counter) }));
  const translated = await translatePassages(passages, say);
  return lines
    .map((line, index) => (line.trim() === '' ? line : withSpaceOf(line, restore(translated[index] ?? [], kept))))
    .join('');
}
