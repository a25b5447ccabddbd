import type { Piece } from '@officium/contract/authoring';
import { endonymOf } from '@officium/i18n/locales';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { addressOf } from './kinds.ts';
import type { FoundInPart, NamedPart } from './part-findings.load.ts';
import { titleOf } from './title.ts';

export type Closed = readonly NamedPart[];

/** Journeys to publish that learners join by invitation only. */
export function ClosedJourneys({ closed }: { closed: Closed }) {
  const { t, locale } = useText();
  if (closed.length === 0) return null;
  return (
    <div className="mt-4 max-w-prose">
      <p>{t('admin.content_closed_journeys')}</p>
      <ul className="list-disc ps-5">
        {closed.map(({ kind, key, title }) => {
          const { text, lang } = titleOf(title, locale);
          return (
            <li key={key}>
              <Link to={addressOf(kind, key)} className="link inline-block py-1" lang={lang} dir="auto">
                {text}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type Shown = Pick<Piece, 'kind' | 'key'>;
type Finding = Piece['findings'][number] & Partial<Pick<FoundInPart, 'piece'>>;

/** Findings that block publication first, each with a link to its text. */
export function Findings({ piece, findings }: { piece: Shown; findings: Finding[] }) {
  const { t, locale } = useText();
  if (findings.length === 0) return null;
  const isFirst = ({ severity }: Finding) => severity === 'must';
  const sorted = [...findings.filter(isFirst), ...findings.filter((finding) => !isFirst(finding))];
  return (
    <section aria-labelledby="findings">
      <h3 id="findings" className="text-2xl">
        {t('admin.content_findings')}
      </h3>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {sorted.map((finding, index) => (
          <li key={index} className="py-3">
            <p className="font-semibold">
              {t(`admin.content_finding_${finding.severity}`)} {t(`admin.publish_rule_${finding.rule}`)}
            </p>
            {finding.piece ? (
              <p>
                <Link to={addressOf(finding.piece.kind, finding.piece.key)} className="link inline-block py-1">
                  <bdi>{titleOf(finding.piece.title, locale).text}</bdi>
                </Link>
              </p>
            ) : null}
            <p className="text-sm">
              <Link to={textAddress(finding.piece ?? piece, finding.locale)} className="link inline-block py-1">
                {t('admin.content_finding_at', { language: endonymOf(finding.locale), line: finding.line })}
              </Link>
            </p>
            <p className="mt-1 wrap-anywhere" lang={finding.locale} dir="auto">
              {finding.text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The editor with the text of a language. */
const textAddress = ({ kind, key }: Pick<Shown, 'kind' | 'key'>, locale: string) =>
  addressOf(kind, key, `?beside=${locale}`);
