import { ArrowDown, ArrowUp } from 'lucide-react';
import { Link } from 'react-router';
import type { Piece, PiecePart } from '@officium/contract/authoring';
import { SmartForm } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Tag } from '../../ui/tag.tsx';
import { addressOf, LOOKS } from './kinds.ts';
import { Mover } from './mover.tsx';
import { can } from './rights.ts';
import { titleOf } from './title.ts';

/** The journeys of a course. Their order is not part of its draft; draft journeys come last. */
export function JourneyList({ piece }: { piece: Pick<Piece, 'key' | 'parts' | 'capabilities'> }) {
  const { t } = useText();
  const placed = piece.parts.filter((part) => part.state !== 'draft');
  const canOrder = placed.length > 1 && can(piece, 'publish-content');
  return (
    <section id="journeys" aria-labelledby="journeys-title" className="mt-10 border-t border-line pt-6">
      <h3 id="journeys-title" className="text-2xl">
        {t('admin.content_journeys')}
      </h3>
      {canOrder ? <p className="mt-1 text-sm text-muted">{t('admin.content_journeys_hint')}</p> : null}
      <SmartForm refusalsOf={/^journey-/}>
        <ol className="mt-2 divide-y divide-line">
          {piece.parts.map((part) => (
            <Journey key={part.key} {...{ part, canOrder }} at={placed.indexOf(part)} count={placed.length} />
          ))}
        </ol>
      </SmartForm>
      {can(piece, 'edit-content') ? (
        <p className="mt-4">
          <LinkButton to={`/admin/content/new?kind=journey&parent=${encodeURIComponent(piece.key)}`} look="secondary">
            {t('admin.content_new_journey')}
          </LinkButton>
        </p>
      ) : null}
    </section>
  );
}

type JourneyProps = { part: PiecePart; at: number; count: number; canOrder: boolean };

function Journey({ part, at, count, canOrder }: JourneyProps) {
  const { t, locale } = useText();
  const { text, lang } = titleOf(part.title, locale);
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <Link to={addressOf(part.kind, part.key)} className="link inline-block py-1.5" lang={lang} dir="auto">
        {text}
      </Link>
      <Tag look={LOOKS[part.state]}>{t(`admin.content_state_${part.state}`)}</Tag>
      {at >= 0 && canOrder ? (
        <span className="ms-auto flex gap-2">
          <Mover
            value={`journey-up:${part.key}`}
            label={t('admin.content_up', { title: text })}
            icon={ArrowUp}
            isOff={at === 0}
          />
          <Mover
            value={`journey-down:${part.key}`}
            label={t('admin.content_down', { title: text })}
            icon={ArrowDown}
            isOff={at === count - 1}
          />
        </span>
      ) : null}
    </li>
  );
}
