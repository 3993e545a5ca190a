/** Short facts side by side, each whole on its line if it fits. What is no text is left out. */
export const Parts = ({ parts }: { parts: (string | false | null)[] }) => (
  <p className="flex flex-wrap gap-x-3 text-ink-2 text-note">
    {parts.map(part => part && <span key={part}>{part}</span>)}
  </p>
)
