import { termsSectionsOf } from '@shop/shared/settings/terms-sections.ts'

/** The terms as buyers read them. */
export function TermsText({ body }: { body: string }) {
  return (
    <div className="terms-text">
      {termsSectionsOf(body).map(({ title, lines }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name than their place
        <section key={index}>
          {title && <h3>{title}</h3>}
          <ul>
            {lines.map((line, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
              <li key={place}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
