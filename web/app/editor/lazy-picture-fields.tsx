import { Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';

// Folded in every form, and used in few texts.
const fields = lazyPart(async () => (await import('./picture-fields.tsx')).PictureFields);

export const loadPictureFields = fields.load;

export function PictureFields({ to }: { to: string }) {
  return (
    <Suspense>
      <fields.Part to={to} />
    </Suspense>
  );
}
