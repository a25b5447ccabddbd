import { endonymOf, type Locale } from '@officium/i18n/locales';
import { useText } from '../text.tsx';

/** Their letters are in font files that no other page needs: 174 kB for two names. */
const OF_OWN_FILES: readonly Locale[] = ['ar', 'vi'];

/** A language by its own name. On pages in another one the system writes it. */
export function Endonym({ of }: { of: Locale }) {
  const { locale } = useText();
  const isOfOthers = of !== locale && OF_OWN_FILES.includes(of);
  return (
    <bdi lang={of} className={isOfOthers ? 'font-[system-ui,sans-serif]' : undefined}>
      {endonymOf(of)}
    </bdi>
  );
}
