import { ChevronDown } from 'lucide-react'

interface PlayerHintProps {
  label: string
  text: string
  picture: string
  /** Opens it without being asked, because the game does not know the id that was typed. */
  isNeeded: boolean
}

/** Shows on demand where players find their id; nothing for a game without such a hint. */
export function PlayerHint({ label, text, picture, isNeeded }: PlayerHintProps) {
  if (!text && !picture) return null
  return (
    <details className="group" open={isNeeded || undefined}>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1.5 rounded-inline text-accent text-small [&::-webkit-details-marker]:hidden">
        {`ดู ${label} ได้ที่ไหน`}
        <ChevronDown size={16} className="flex-none group-open:rotate-180" />
      </summary>
      <div className="mb-2 grid gap-3 rounded-control bg-canvas p-3.5 text-small">
        {text && <p>{text}</p>}
        {picture && (
          <a href={picture} target="_blank" rel="noreferrer">
            <img
              src={picture}
              alt={`ตัวอย่างตำแหน่ง ${label} ในเกม แตะเพื่อดูขนาดเต็ม`}
              loading="lazy"
              width={500}
              height={280}
              className="h-50 w-full object-contain"
            />
          </a>
        )}
      </div>
    </details>
  )
}
