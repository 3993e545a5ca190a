import type { ReactNode } from 'react'

export const ChatCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="card" aria-label={title}>
    <header>
      <h2 className="grow">{title}</h2>
    </header>
    {children}
  </section>
)
