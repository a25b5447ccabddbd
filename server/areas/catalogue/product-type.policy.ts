/** Content types that this product understands. All others stay plain entries. */
export const PRODUCT_TYPES = [
  ...(['academy', 'carousel', 'category', 'communityPage', 'course', 'courseJourney', 'event', 'imageHolder'] as const),
  ...(['learningHub', 'lesson', 'microcourse', 'page', 'qaQuestion', 'solutionArticle'] as const),
] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** Matches a content type to a product type by id, else by name, ignoring case and punctuation. */
export function productTypeOf(id: string, name = ''): ProductType | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return (
    PRODUCT_TYPES.find((type) => plain(type) === plain(id)) ?? PRODUCT_TYPES.find((type) => plain(type) === plain(name))
  );
}
