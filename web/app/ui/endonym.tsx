import { endonymOf, type Locale } from '@officium/i18n/locales';
import { useText } from '../text.tsx';

/** Their scripts need font files that no other page needs: 174 kB for two names. */
const OF_OWN_FILES: readonly Locale[] = ['ar', 'vi'];

/** A language by its own name, in the system font where the page lacks the script's font. */
export function Endonym({ of }: { of: Locale }) {
  const { locale } = useText();
  const isOfOthers = of !== locale && OF_OWN_FILES.includes(of);
  return (
    <bdi lang={of} className={isOfOthers ? 'font-[system-ui,sans-serif]' : undefined}>
      {endonymOf(of)}
    </bdi>
  );
}
