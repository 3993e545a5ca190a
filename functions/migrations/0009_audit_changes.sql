ALTER TABLE "audit_entry" ADD COLUMN "change_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_change" ON "audit_entry" USING btree ("change_id");--> statement-breakpoint
UPDATE "audit_entry" SET "subject" = CASE
  WHEN "action" = 'discount.save' THEN replace("subject", 'package:', 'discount:')
  WHEN "subject" LIKE 'terms:%' THEN 'terms:inForce'
  ELSE regexp_replace("subject", '^(game|banner|package):order(-of-game-)?(\d*)$', '\1Order:\3') END
WHERE "action" = 'discount.save' OR "subject" LIKE 'terms:%' OR "subject" LIKE '%:order%';
