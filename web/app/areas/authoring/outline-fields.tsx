import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { Link } from 'react-router';
import type { Piece, PiecePart } from '@officium/contract/authoring';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import { addressOf, LOOKS, MAX_SECTIONS } from './kinds.ts';
import { LessonRowFields } from './lesson-row-fields.tsx';
import { Mover } from './mover.tsx';
import { Beside } from './text-fields.tsx';
import { titleOf } from './title.ts';
import { type Outline, useOutline } from './use-outline.ts';

/** The sections of a journey and their lessons. Each button saves the draft with one change. */
export function OutlineFields({ piece, locales }: { piece: Piece; locales: readonly Locale[] }) {
  const { t } = useText();
  const { doc, parts } = piece;
  const outline = useOutline(doc.kind === 'journey' ? doc.sections.map((section) => section.lessons) : []);
  if (doc.kind !== 'journey') return null;
  const lessons = new Map(parts.map((part) => [part.key, part]));
  const placed = new Set(outline.lists.flat());
  const others = parts.filter((part) => !placed.has(part.key));
  return (
    <section ref={outline.mark} id="outline" aria-labelledby="outline-title" className="border-t border-line pt-6">
      <h3 id="outline-title" className="text-2xl">
        {t('admin.content_outline')}
      </h3>
      <p className="mt-1 text-sm text-muted">{t('admin.content_outline_hint', { count: MAX_SECTIONS })}</p>
      {parts.length > 0 ? <p className="mt-1 text-sm text-muted">{t('admin.content_outline_lessons_hint')}</p> : null}
      {outline.isLive ? <p className="mt-1 text-sm text-muted">{t('admin.content_outline_drag')}</p> : null}
      <ol className="mt-4 grid gap-8">
        {doc.sections.map((_, at) => (
          <Section key={at} {...{ doc, at, lessons, locales, outline }} />
        ))}
      </ol>
      <div className="mt-5 flex flex-wrap items-end gap-3">
        {doc.sections.length < MAX_SECTIONS ? (
          <>
            <Field
              name="new_heading"
              label={t('admin.content_section_new')}
              dir="auto"
              autoComplete="off"
              maxLength={200}
              hideOptional
            />
            <Button name="intent" value="section-add:" look="secondary">
              {t('admin.content_section_add')}
            </Button>
          </>
        ) : null}
      </div>
      <Others parts={others} canPlace={doc.sections.length > 0} outline={outline} />
    </section>
  );
}

type SectionProps = {
  doc: Extract<Piece['doc'], { kind: 'journey' }>;
  /** Its position in the journey. */
  at: number;
  lessons: ReadonlyMap<string, PiecePart>;
  locales: readonly Locale[];
  outline: Outline;
};

function Section({ doc, at, lessons, locales, outline }: SectionProps) {
  const { t } = useText();
  const section = doc.sections[at];
  if (!section) return null;
  const placed = outline.lists[at] ?? [];
  return (
    <li className="border-s-4 border-line ps-4">
      <input type="hidden" name={`section_${at}`} value={placed.join(' ')} />
      <Beside locales={locales}>
        {(locale) => (
          <Field
            name={`heading_${at}_${locale}`}
            label={`${t('admin.content_section', { number: at + 1 })} · ${endonymOf(locale)}`}
            defaultValue={section.heading[locale] ?? ''}
            lang={locale}
            dir="auto"
            autoComplete="off"
            hideOptional
          />
        )}
      </Beside>
      <ol className={`mt-2 divide-y divide-line ${outline.isLive ? 'min-h-11' : ''}`} {...outline.dropIn(at)}>
        {placed.map((key, index) => {
          const part = lessons.get(key);
          const isFirst = at === 0 && index === 0;
          const isLast = at === doc.sections.length - 1 && index === placed.length - 1;
          return part ? <Placed key={key} {...{ part, isFirst, isLast, outline }} /> : null;
        })}
      </ol>
      <SectionButtons at={at} count={doc.sections.length} isEmpty={placed.length === 0} />
    </li>
  );
}

function SectionButtons({ at, count, isEmpty }: { at: number; count: number; isEmpty: boolean }) {
  const { t } = useText();
  return (
    <div className="mt-3 flex flex-wrap gap-3">
      <Button name="intent" value={`lesson-new:${at}`} look="secondary" small>
        {t('admin.content_new_lesson')}
        <span className="sr-only">: {t('admin.content_section', { number: at + 1 })}</span>
      </Button>
      <Mover
        value={`section-up:${at}`}
        label={t('admin.content_section_up', { number: at + 1 })}
        icon={ArrowUp}
        isOff={at === 0}
      />
      <Mover
        value={`section-down:${at}`}
        label={t('admin.content_section_down', { number: at + 1 })}
        icon={ArrowDown}
        isOff={at === count - 1}
      />
      {isEmpty ? (
        <Button name="intent" value={`section-remove:${at}`} look="quiet" small>
          {t('admin.content_section_remove', { number: at + 1 })}
        </Button>
      ) : null}
    </div>
  );
}

/** Lessons that are in no section. */
type OthersProps = { parts: readonly PiecePart[]; canPlace: boolean; outline: Outline };

function Others({ parts, canPlace, outline }: OthersProps) {
  const { t, locale } = useText();
  if (parts.length === 0) return null;
  return (
    <>
      <h4 className="mt-8 text-lg">{t('admin.content_unplaced')}</h4>
      <ul className="mt-2 divide-y divide-line">
        {parts.map((part) => {
          const { text, lang } = titleOf(part.title, locale);
          return (
            <li key={part.key} className="flex flex-wrap items-center gap-3 py-2">
              <LessonName part={part} />
              {canPlace ? (
                <Button
                  name="intent"
                  value={`in:${part.key}`}
                  look="quiet"
                  small
                  onClick={outline.onPress('in', part.key, text)}
                >
                  {t('admin.content_place')}
                  <span className="sr-only" lang={lang}>
                    : {text}
                  </span>
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
    </>
  );
}

type PlacedProps = { part: PiecePart; isFirst: boolean; isLast: boolean; outline: Outline };

function Placed({ part, isFirst, isLast, outline }: PlacedProps) {
  const { t, locale } = useText();
  const title = titleOf(part.title, locale).text;
  return (
    <li {...outline.dragOf(part.key, title)} className="flex flex-wrap items-center gap-3 bg-paper py-2">
      {outline.isLive ? (
        <span className="cursor-grab text-muted" aria-hidden="true">
          <Icon as={GripVertical} size={18} />
        </span>
      ) : null}
      <LessonName part={part} />
      <LessonRowFields part={part} title={title} outline={outline} />
      <span className="ms-auto flex gap-2">
        <Mover
          value={`up:${part.key}`}
          label={t('admin.content_up', { title })}
          icon={ArrowUp}
          isOff={isFirst}
          onPress={outline.onPress('up', part.key, title)}
        />
        <Mover
          value={`down:${part.key}`}
          label={t('admin.content_down', { title })}
          icon={ArrowDown}
          isOff={isLast}
          onPress={outline.onPress('down', part.key, title)}
        />
        <Button
          name="intent"
          value={`out:${part.key}`}
          look="quiet"
          small
          onClick={outline.onPress('out', part.key, title)}
        >
          {t('admin.content_take_out')}
          <span className="sr-only">: {title}</span>
        </Button>
      </span>
    </li>
  );
}

function LessonName({ part }: { part: PiecePart }) {
  const { t, locale } = useText();
  const { text, lang } = titleOf(part.title, locale);
  return (
    <>
      <Link to={addressOf(part.kind, part.key)} className="link inline-block py-1.5" lang={lang} dir="auto">
        {text}
      </Link>
      <Tag look={LOOKS[part.state]}>{t(`admin.content_state_${part.state}`)}</Tag>
    </>
  );
}
