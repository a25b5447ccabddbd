/** Estimates reading time at 200 words per minute, or 500 characters per minute for scripts without spaces. */
export function readingMinutes(text: string): number {
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.max(1, Math.round(ideographs > words ? ideographs / 500 : words / 200));
}
