/** A game's picture, or its place: an image with an empty address would ask for the page itself. */
export function Art({ picture, alt = '' }: { picture: string; alt?: string }) {
  if (!picture) return <span className="art" />
  return <img className="art" src={picture} alt={alt} width={32} height={32} loading="lazy" />
}
