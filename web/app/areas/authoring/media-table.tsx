import type { ReplyOf } from '@officium/contract/endpoint';
import type { listMedia } from '@officium/contract/media-library';
import { AudioLines, Captions, FileText, Film, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { addressOf } from './kinds.ts';
import { sizeText } from './size.ts';
import { titleOf } from './title.ts';

export type MediaFile = ReplyOf<typeof listMedia>['files'][number];

const ICONS: Record<Exclude<MediaFile['kind'], 'picture'>, LucideIcon> = {
  video: Film,
  audio: AudioLines,
  captions: Captions,
  file: FileText,
};

type Props = { files: MediaFile[]; /** Whether the viewer may open the site's settings. */ isAll: boolean };

export function MediaTable({ files, isAll }: Props) {
  const { t, number } = useText();
  const columns: Column<MediaFile>[] = [
    {
      name: 'file',
      label: t('admin.media_file'),
      isHeading: true,
      cell: (file) => <FileLink file={file} />,
    },
    {
      name: 'kind',
      label: t('admin.content_kind'),
      cell: ({ kind, extension }) => `${t(`admin.media_kind_${kind}`)} (${extension.toUpperCase()})`,
    },
    { name: 'size', label: t('admin.media_size'), isNumber: true, cell: ({ bytes }) => sizeText(number, bytes) },
    {
      name: 'uploaded',
      label: t('admin.media_uploaded'),
      cell: ({ storedAt, uploadedBy }) => (
        <>
          <Time value={storedAt} />
          {uploadedBy ? (
            <span className="block">
              <bdi>{uploadedBy}</bdi>
            </span>
          ) : null}
        </>
      ),
    },
    { name: 'pieces', label: t('admin.media_used_in'), cell: (file) => <UsedIn file={file} isAll={isAll} /> },
  ];
  return <DataTable caption={t('admin.media_library')} columns={columns} rows={files} keyOf={({ key }) => key} />;
}

/** The name of a file below its picture or the icon of its type. The picture adds nothing to the name. */
function FileLink({ file: { name, key, url, kind } }: { file: MediaFile }) {
  const shown = name?.slice(name.lastIndexOf('/') + 1) ?? key;
  return (
    <span className="flex items-start gap-3">
      <span className="flex h-12 w-16 shrink-0 items-center justify-center overflow-hidden rounded border border-line bg-sunk">
        {kind === 'picture' ? (
          <img src={url} alt="" loading="lazy" width="64" height="48" className="size-full object-contain" />
        ) : (
          <Icon as={ICONS[kind]} />
        )}
      </span>
      <a href={url} className="link min-w-0 self-baseline wrap-anywhere" dir="ltr">
        {shown}
      </a>
    </span>
  );
}

/** The pieces in which a file stands. */
function UsedIn({ file: { isUnused, isOfSite, pieces, pieceCount }, isAll }: { file: MediaFile; isAll: boolean }) {
  const { t, locale } = useText();
  if (isUnused) return <Tag>{t('admin.media_unused')}</Tag>;
  const more = pieceCount - pieces.length;
  return (
    <ul>
      {pieces.map(({ kind, key, slug, title, isEarlier }) => {
        const { text, lang } = titleOf(title, locale);
        return (
          <li key={`${kind}:${key}`}>
            <Link to={addressOf(kind, key)} className="link inline-block py-1" lang={lang} dir="auto">
              {text || slug}
            </Link>
            <span className="block text-muted">
              {t(`admin.content_kind_${kind}`)}
              {isEarlier ? ` · ${t('admin.media_earlier')}` : null}
            </span>
          </li>
        );
      })}
      {more > 0 ? <li>{t('admin.media_more_pieces', { count: more })}</li> : null}
      {isOfSite && isAll ? (
        <li>
          <Link to="/admin/site" className="link inline-block py-1">
            {t('admin.site')}
          </Link>
        </li>
      ) : null}
    </ul>
  );
}
