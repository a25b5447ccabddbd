import { endonymOf, type Locale } from '@officium/i18n/locales';
import japanese from './japanese.css?url';
import korean from './korean.css?url';

/**
 * Style sheets of the fonts for Japanese and Korean: some 120 small files each, of which a browser fetches those with
 * characters that no font of the system has.
 */
const FONTS = [
  { locale: 'ja', sheet: japanese, letters: /[\u3040-\u30ff\u3400-\u9fff]/ },
  { locale: 'ko', sheet: korean, letters: /[\uac00-\ud7af]/ },
] as const;

/** Names of the languages, for which app.css has faces of its own. */
const NAMES = new RegExp(`${endonymOf('ja')}|${endonymOf('ko')}`, 'g');

/** The style sheet that an interface language needs. */
export function largeFontOf(locale: Locale): string | undefined {
  return FONTS.find((one) => one.locale === locale)?.sheet;
}

/** Loads the fonts once the page shows such text, in whatever language the page is. */
export function watchForLargeFonts(): void {
  const missing = new Set<(typeof FONTS)[number]>(FONTS);
  const look = () => {
    const text = (document.body.textContent ?? '').replace(NAMES, '');
    for (const font of missing) {
      if (!font.letters.test(text)) continue;
      missing.delete(font);
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = font.sheet;
      document.head.append(link);
    }
    if (missing.size === 0) observer.disconnect();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  look();
}

/** Changes that follow each other faster are looked at together. */
const PAUSE_MS = 500;
