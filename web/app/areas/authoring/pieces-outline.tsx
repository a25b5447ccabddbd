import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import { LOOKS } from './kinds.ts';
import { languagesOf, PieceLink } from './pieces-table.tsx';
import { isOpenable, type PieceNode, toggled } from './pieces-tree.ts';
import { titleOf } from './title.ts';

const PARTS = {
  academy: 'admin.content_field_courses',
  course: 'admin.content_journeys',
  journey: 'admin.content_field_lessons',
} as const;
const isParent = (kind: string): kind is keyof typeof PARTS => kind in PARTS;

type Props = { nodes: readonly PieceNode[]; search: string; label?: string };

/** Content as a tree. A piece with parts is opened and closed by a link, so that its address keeps what is open. */
export function PiecesOutline({ nodes, search, label }: Props) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {nodes.map((node, at) => (
        <Fragment key={node.name}>
          <SectionHeading node={node} previous={nodes[at - 1]} />
          <Node node={node} search={search} />
        </Fragment>
      ))}
    </ul>
  );
}

/** The heading of a section above its first lesson. */
function SectionHeading({ node, previous }: { node: PieceNode; previous: PieceNode | undefined }) {
  const { t, locale } = useText();
  if (node.kind !== 'lesson' || (previous && previous.section?.number === node.section?.number)) return null;
  if (!node.section) return <li className="pt-3 pb-1 text-sm text-muted">{t('admin.content_unplaced')}</li>;
  const { text, lang } = titleOf(node.section.heading, locale);
  return (
    <li className="pt-3 pb-1 text-sm text-muted">
      {t('admin.content_section', { number: node.section.number })}
      {text ? (
        <>
          {' · '}
          <bdi lang={lang}>{text}</bdi>
        </>
      ) : null}
    </li>
  );
}

function Node({ node, search }: { node: PieceNode; search: string }) {
  const { t } = useText();
  const { children } = node;
  return (
    <li className="py-1">
      <div className="flex items-start gap-1">
        <Toggle node={node} search={search} />
        <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 py-1.5">
          <span className="min-w-0 grow basis-60 wrap-anywhere">
            <PieceLink row={node} />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <span>{t(`admin.content_kind_${node.kind}`)}</span>
            <Parts node={node} />
            <span dir="ltr">{languagesOf(node)}</span>
            <Tag look={LOOKS[node.state]}>{t(`admin.content_state_${node.state}`)}</Tag>
          </span>
        </div>
      </div>
      {children ? (
        <div className="ms-3 border-s border-line ps-2 sm:ms-5 sm:ps-4">
          <PiecesOutline nodes={children} search={search} />
          <Rest node={node} shown={children.length} />
        </div>
      ) : null}
    </li>
  );
}

function Toggle({ node, search }: { node: PieceNode; search: string }) {
  const { t, locale } = useText();
  if (node.parts === 0 || !isOpenable(node.name)) return <span className="size-11 shrink-0" />;
  const title = titleOf(node.title, locale).text || node.slug;
  const isOpen = node.children !== undefined;
  const label = t(isOpen ? 'admin.content_parts_hide' : 'admin.content_parts_show', { title });
  return (
    <Link
      to={`/admin/content${toggled(search, node)}`}
      preventScrollReset
      replace
      aria-label={label}
      title={label}
      aria-expanded={isOpen}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded hover:text-accent"
    >
      <Icon as={isOpen ? ChevronDown : ChevronRight} directional={!isOpen} />
    </Link>
  );
}

function Parts({ node }: { node: PieceNode }) {
  const { t, number } = useText();
  if (!isParent(node.kind)) return null;
  return (
    <span>
      {t(PARTS[node.kind])}: {number(node.parts)}
    </span>
  );
}

/** A link to the whole list of a piece with more parts than the tree shows. */
function Rest({ node, shown }: { node: PieceNode; shown: number }) {
  const { t } = useText();
  if (shown >= node.parts) return null;
  return (
    <p className="py-2 ps-11">
      <Link to={`/admin/content?in=${encodeURIComponent(node.name)}`} className="link inline-block py-1.5">
        {t('admin.content_show_all', { count: node.parts })}
      </Link>
    </p>
  );
}
