ALTER TABLE "audit_entry" ADD COLUMN "change_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_change" ON "audit_entry" USING btree ("change_id");--> statement-breakpoint
UPDATE "audit_entry" SET "subject" = CASE
  WHEN "action" = 'discount.save' THEN replace("subject", 'package:', 'discount:')
  WHEN "subject" LIKE 'terms:%' THEN 'terms:inForce'
  ELSE regexp_replace(replace("subject", 'package:order-of-game-', 'packageOrder:'), '^(game|banner):order$', '\1Order:all') END
WHERE "action" = 'discount.save' OR "subject" LIKE 'terms:%' OR "subject" LIKE '%:order%';--> statement-breakpoint
UPDATE "audit_entry" SET "before" = NULL WHERE "action" = 'tier.save' AND "before" = '{}';
