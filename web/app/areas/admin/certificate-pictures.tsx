import type { CertificateDesign, CertificatePicture, SiteLogo } from '@officium/contract/site';
import { SmartForm } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { PICTURES } from './certificate-design.ts';
import { PictureUpload, ShownPicture } from './picture-upload.tsx';

const TYPES = 'image/jpeg,image/png,image/webp,image/gif';

/** Seal and signatures, each with a form of its own because it is uploaded at once. */
export function CertificatePictures({ pictures }: { pictures: CertificateDesign['pictures'] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="pictures" className="mt-12 grid max-w-2xl gap-8 border-t border-line pt-8">
      <div>
        <h2 id="pictures" className="text-2xl">
          {t('admin.site_certificate_pictures')}
        </h2>
        <p className="mt-1 max-w-prose text-sm text-muted">{t('admin.site_certificate_pictures_text')}</p>
      </div>
      {(Object.keys(PICTURES) as CertificatePicture[]).map((slot) => (
        <PictureForm key={slot} slot={slot} picture={pictures[slot]} />
      ))}
    </section>
  );
}

function PictureForm({ slot, picture }: { slot: CertificatePicture; picture: SiteLogo | null }) {
  const { t } = useText();
  return (
    <div>
      <h3 className="text-xl">{t(PICTURES[slot])}</h3>
      {picture ? (
        <ShownPicture picture={picture} alt="" ground="bg-[#fbfaf7]" size="max-h-20">
          <SmartForm intent={`remove ${slot}`}>
            <Button look="quiet">
              {t('admin.site_certificate_remove')}
              <span className="sr-only"> {t(PICTURES[slot])}</span>
            </Button>
          </SmartForm>
        </ShownPicture>
      ) : null}
      <PictureUpload
        intent={`upload ${slot}`}
        id={`upload-${slot}`}
        accept={TYPES}
        button={t('admin.site_certificate_upload')}
      />
    </div>
  );
}
