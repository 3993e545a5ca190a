/** A game's picture, or an empty place for it, because an image without an address would load the page itself. */
export function Art({ picture, alt = '' }: { picture: string; alt?: string }) {
  if (!picture) return <span className="art" />
  return <img className="art" src={picture} alt={alt} width={32} height={32} loading="lazy" />
}
