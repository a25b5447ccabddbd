import { useEffect, useId, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import { dragged, MAX_ZOOM, MIDDLE, squareOf, zoomed, type Crop } from './crop.ts';
import { croppedFile, drawCrop } from './picture-file.ts';
import { upload, type Uploaded } from './upload.ts';

type Props = {
  picture: ImageBitmap;
  /** Address that receives the result. */
  address: string;
  onDone: () => void;
  onCancel: () => void;
};

/** Crops a square from a picture by pointer, touch or keyboard, and uploads it. */
export default function Cropper({ picture, address, onDone, onCancel }: Props) {
  const { t, maybe } = useText();
  const [crop, setCrop] = useState(MIDDLE);
  const [sent, setSent] = useState<number>();
  const [refusal, setRefusal] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const send = async () => {
    setRefusal(undefined);
    setSent(0);
    announce(t('people.picture_uploading'));
    const { status, code } = await croppedFile(picture, crop).then(
      (file) => upload(address, { name: 'file', file, onProgress: setSent }),
      (): Uploaded => ({ status: 0 }),
    );
    setSent(undefined);
    if (status === 201) onDone();
    else setRefusal((code && maybe(`errors.${code}`)) ?? t('people.picture_failed'));
  };

  return (
    <section aria-labelledby="crop-title" className="mt-6 max-w-xl rounded border border-line bg-card p-5">
      <h2 id="crop-title" ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {t('people.picture_crop')}
      </h2>
      <p className="mt-1 text-sm text-muted">{t('people.picture_crop_hint')}</p>
      <div className="mt-4 flex flex-wrap items-end gap-6">
        <Frame picture={picture} crop={crop} onChange={setCrop} />
        <figure className="grid justify-items-center gap-2 text-sm text-muted">
          <View picture={picture} crop={crop} edge={96} className="size-24 rounded-full" />
          <figcaption>{t('people.picture_preview')}</figcaption>
        </figure>
      </div>
      <Sliders picture={picture} crop={crop} onChange={setCrop} />
      {refusal ? (
        <div className="mt-4">
          <Notice tone="danger" live>
            {refusal}
          </Notice>
        </div>
      ) : null}
      {sent === undefined ? null : (
        <div className="mt-4">
          <Progress label={t('people.picture_uploading')} value={sent} max={1} />
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button type="button" isBusy={sent !== undefined} onClick={() => void send()}>
          {t('people.picture_use')}
        </Button>
        <Button type="button" look="secondary" isBusy={sent !== undefined} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </section>
  );
}

type ViewProps = { picture: ImageBitmap; crop: Crop; edge: number; className: string };

function View({ picture, crop, edge, className }: ViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop);
  }, [picture, crop]);
  // Twice the displayed resolution, for high-density screens.
  return (
    <canvas ref={canvas} width={edge * 2} height={edge * 2} aria-hidden="true" className={`bg-sunk ${className}`} />
  );
}

type FrameProps = { picture: ImageBitmap; crop: Crop; onChange: (crop: Crop) => void };
type Point = { x: number; y: number };

/** The crop preview: drag with one pointer, zoom with two. The sliders do the same from the keyboard. */
function Frame({ picture, crop, onChange }: FrameProps): ReactNode {
  const pointers = useRef(new Map<number, Point>());
  const hold = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId);
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const held = pointers.current;
    const before = held.get(event.pointerId);
    if (!before) return;
    const after = { x: event.clientX, y: event.clientY };
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    held.set(event.pointerId, after);
    if (other) {
      const apart = distance(before, other);
      if (apart > 0) onChange(zoomed(picture, crop, (crop.zoom * distance(after, other)) / apart));
      return;
    }
    const { width, height } = event.currentTarget.getBoundingClientRect();
    onChange(dragged(picture, crop, { across: (after.x - before.x) / width, down: (after.y - before.y) / height }));
  };
  return (
    <div
      onPointerDown={hold}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      className="relative size-64 shrink-0 cursor-move touch-none overflow-hidden rounded border border-edge select-none"
    >
      <View picture={picture} crop={crop} edge={256} className="size-full" />
      {/* Dims everything outside the circle in which avatars are shown. */}
      <span className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_9999px_rgb(11_13_28/0.45)]" />
    </div>
  );
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Zoom and position of the crop, for the keyboard. */
function Sliders({ picture, crop, onChange }: FrameProps) {
  const { t } = useText();
  const { edge } = squareOf(picture, crop);
  return (
    <div className="mt-4 grid gap-3">
      <Slider
        label={t('people.picture_zoom')}
        value={crop.zoom}
        min={1}
        max={MAX_ZOOM}
        onChange={(zoom) => onChange(zoomed(picture, crop, zoom))}
      />
      <Slider
        label={t('people.picture_across')}
        value={crop.x}
        isOff={picture.width - edge < 1}
        onChange={(x) => onChange({ ...crop, x })}
      />
      <Slider
        label={t('people.picture_down')}
        value={crop.y}
        isOff={picture.height - edge < 1}
        onChange={(y) => onChange({ ...crop, y })}
      />
    </div>
  );
}

type SliderProps = {
  label: string;
  value: number;
  min?: number;
  max?: number;
  /** There is no room to move. */
  isOff?: boolean;
  onChange: (value: number) => void;
};

function Slider({ label, value, min = 0, max = 1, isOff, onChange }: SliderProps) {
  const { number } = useText();
  const id = useId();
  return (
    <div className="grid items-center gap-x-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {/* Left stays left in pictures, whatever the direction of the language. */}
      <input
        id={id}
        type="range"
        dir="ltr"
        min={min}
        max={max}
        step={(max - min) / 50}
        value={value}
        disabled={isOff}
        aria-valuetext={number(value, { style: 'percent', maximumFractionDigits: 0 })}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-11 w-full accent-accent"
      />
    </div>
  );
}
