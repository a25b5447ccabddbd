import type { SiteLogo } from '@officium/contract/site';
import type { ReactNode } from 'react';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';

type ShownProps = { picture: SiteLogo; alt: string; ground: string; size: string; children: ReactNode };

/** An uploaded picture of the site, with the form that removes it as `children`. */
export function ShownPicture({ picture, alt, ground, size, children }: ShownProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-4">
      <span className={`rounded border border-line p-3 ${ground}`}>
        <img
          src={`/content-assets/${picture.key}`}
          alt={alt}
          width={picture.width}
          height={picture.height}
          className={`h-auto w-auto max-w-full ${size}`}
        />
      </span>
      {children}
    </div>
  );
}

type UploadProps = { intent: string; id: string; accept: string; button: string };

/** Uploads a picture of the site at once, in a form of its own. */
export function PictureUpload({ intent, id, accept, button }: UploadProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting(intent);
  return (
    <SmartForm intent={intent} encType="multipart/form-data" className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-3">
      <Field
        id={id}
        name="picture"
        type="file"
        accept={accept}
        required
        label={t('admin.site_logo_file')}
        hint={t('admin.site_logo_file_hint')}
        className="min-w-0 grow basis-72"
      />
      <Button look="secondary" isBusy={isSubmitting}>
        {button}
      </Button>
    </SmartForm>
  );
}
