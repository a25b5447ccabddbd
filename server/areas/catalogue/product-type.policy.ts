/** Types of the product itself, by the name a content model gives them; all others stay plain entries. */
export const PRODUCT_TYPES = [
  ...(['academy', 'carousel', 'category', 'communityPage', 'course', 'courseJourney', 'event', 'imageHolder'] as const),
  ...(['learningHub', 'lesson', 'microcourse', 'page', 'qaQuestion', 'solutionArticle'] as const),
] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** The product type a content type stands for, by its id or else its name, whatever their case and spacing. */
export function productTypeOf(id: string, name = ''): ProductType | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return (
    PRODUCT_TYPES.find((type) => plain(type) === plain(id)) ?? PRODUCT_TYPES.find((type) => plain(type) === plain(name))
  );
}
