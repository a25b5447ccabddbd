import { script } from 'virtual:light';
import { useText } from '../text.tsx';
import { releaseOf } from '../offline/offline.ts';

// Prerenders a page when its link is pressed, not when it is released.
const RULES = {
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          ...['/api/*', '/*.xml*', '/login/*'].map((elsewhere) => ({ not: { href_matches: elsewhere } })),
        ],
      },
      eagerness: 'conservative',
    },
  ],
};

/** The scripts of a page without the application; see app/light/script.ts. */
export function LightScripts({ nonce }: { nonce: string | undefined }) {
  const { locale } = useText();
  return (
    <>
      <script src={script} defer data-locale={locale} data-release={releaseOf(locale)} />
      <script type="speculationrules" nonce={nonce} dangerouslySetInnerHTML={{ __html: JSON.stringify(RULES) }} />
    </>
  );
}
