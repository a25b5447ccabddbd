import type { ReactNode } from 'react';
import { Link, NavLink } from 'react-router';
import type { Piece } from '@officium/contract/authoring';
import { useText } from '../../text.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { Admin } from '../../admin/admin.tsx';
import { addressOf, LOOKS } from './kinds.ts';
import { can } from './rights.ts';
import { titleOf } from './title.ts';

type Shown = Pick<
  Piece,
  | ('kind' | 'key' | 'doc' | 'state' | 'parents' | 'changed' | 'address')
  | ('productId' | 'isReplaced' | 'hasDraft' | 'capabilities')
>;

/** Frame of the pages of one piece: breadcrumb, state and actions. */
export function PiecePage({ piece, name, children }: { piece: Shown; name: string; children: ReactNode }) {
  const { t, locale } = useText();
  const title = titleOf(piece.doc.title, locale).text;
  return (
    <Admin
      title={title}
      crumb={<Crumbs piece={piece} />}
      intro={
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span>{t(`admin.content_kind_${piece.kind}`)}</span>
          <Tag look={LOOKS[piece.state]}>{t(`admin.content_state_${piece.state}`)}</Tag>
          {piece.changed ? (
            <span className="text-sm">
              {piece.changed.by ? `${piece.changed.by} · ` : null}
              <Time value={piece.changed.at} />
            </span>
          ) : null}
        </p>
      }
    >
      <Ways piece={piece} />
      <h2 className="sr-only">{name}</h2>
      {children}
    </Admin>
  );
}

function Crumbs({ piece }: { piece: Shown }) {
  const { t, locale } = useText();
  return (
    <nav aria-label={t('admin.content_path')}>
      <ol className="flex flex-wrap gap-x-2 text-sm">
        <li>
          <Link to="/admin/content" className="link inline-block py-1.5">
            {t('admin.content')}
          </Link>
        </li>
        {piece.parents.map((parent) => {
          const { text, lang } = titleOf(parent.title, locale);
          return (
            <li key={parent.key} className="flex gap-2">
              <span aria-hidden="true" className="py-1.5 text-muted">
                /
              </span>
              <Link to={addressOf(parent.kind, parent.key)} className="link inline-block py-1.5" lang={lang}>
                {text}
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function Ways({ piece: { kind, key, address, productId, capabilities } }: { piece: Shown }) {
  const { t } = useText();
  const ways = [
    { to: addressOf(kind, key), label: t('admin.content_edit') },
    { to: addressOf(kind, key, '/preview'), label: t('admin.content_preview') },
    { to: addressOf(kind, key, '/publish'), label: t('admin.content_publication') },
    { to: addressOf(kind, key, '/versions'), label: t('admin.content_versions') },
    ...(kind === 'course' && can({ capabilities }, 'publish-content')
      ? [{ to: addressOf(kind, key, '/extra-time'), label: t('admin.extra_time') }]
      : []),
    ...(kind === 'journey' && can({ capabilities }, 'edit-content')
      ? [{ to: addressOf(kind, key, '/evaluation'), label: t('admin.content_field_evaluation') }]
      : []),
    ...((kind === 'lesson' || kind === 'course') && can({ capabilities }, 'edit-content')
      ? [{ to: addressOf(kind, key, '/questions'), label: t('admin.questions') }]
      : []),
    ...(kind === 'lesson' && can({ capabilities }, 'edit-content')
      ? [{ to: addressOf(kind, key, '/statistics'), label: t('admin.statistics') }]
      : []),
  ];
  return (
    <nav aria-label={t('admin.content_ways')} className="mb-8 border-b border-line">
      <ul className="flex flex-wrap gap-x-5">
        {ways.map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end
              className="flex min-h-11 items-center border-b-4 border-transparent hover:text-accent aria-[current]:border-marigold aria-[current]:font-semibold"
            >
              {label}
            </NavLink>
          </li>
        ))}
        {productId && !capabilities ? (
          <li>
            <Link to={`/admin/products?q=${encodeURIComponent(productId)}`} className="link flex min-h-11 items-center">
              {t('admin.content_permissions')}
            </Link>
          </li>
        ) : null}
        {address && !capabilities ? (
          <li>
            <form method="post" action="/preview">
              <input type="hidden" name="next" value={address} />
              <button className="link flex min-h-11 items-center">{t('admin.content_open')}</button>
            </form>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

/** Breadcrumb for content pages that are not about one piece. */
export function ContentCrumb({ also }: { also?: { to: string; label: string } }) {
  const { t } = useText();
  return (
    <nav aria-label={t('admin.content_path')}>
      <ol className="flex flex-wrap gap-x-2 text-sm">
        <li>
          <Link to="/admin/content" className="link inline-block py-1.5">
            {t('admin.content')}
          </Link>
        </li>
        {also ? (
          <li className="flex gap-2">
            <span aria-hidden="true" className="py-1.5 text-muted">
              /
            </span>
            <Link to={also.to} className="link inline-block py-1.5">
              {also.label}
            </Link>
          </li>
        ) : null}
      </ol>
    </nav>
  );
}
