ALTER TABLE "charge" VALIDATE CONSTRAINT "charge_owner";--> statement-breakpoint
ALTER TABLE "top_up" VALIDATE CONSTRAINT "top_up_payment";
