import { script } from 'virtual:light';
import { useText } from '../text.tsx';
import { releaseOf } from '../offline.ts';

// Pages are fetched as soon as a link to them is pressed, not when it is let go.
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

/** What a page has in place of the application; see app/light/script.ts. */
export function LightScripts({ nonce }: { nonce: string | undefined }) {
  const { locale } = useText();
  return (
    <>
      <script src={script} defer data-locale={locale} data-release={releaseOf(locale)} />
      <script type="speculationrules" nonce={nonce} dangerouslySetInnerHTML={{ __html: JSON.stringify(RULES) }} />
    </>
  );
}
