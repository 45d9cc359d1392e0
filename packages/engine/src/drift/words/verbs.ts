/**
 * Words that usually open a text as its action. When a text starts with one and the longer text starts with something
 * else, the longer one asks for something else: `plan the migration, then migrate` isn't a finer `migrate`.
 */
export const VERBS: ReadonlySet<string> = new Set(
  [
    "accept activate add adjust allow analyse analyze apply approve archive ask assign attach audit automate await back",
    "benchmark block bootstrap build bump call cancel capture change check choose clarify clean clear clone close collect",
    "commit compare compile complete compress configure confirm connect continue convert copy correct cover create cut",
    "debug decide decline decommission decrease define delete demonstrate deny deploy deprecate describe design detach",
    "detect diagnose disable discard discuss display document download draft drop edit eliminate enable encrypt end",
    "enforce ensure escalate estimate evaluate examine execute expand explain explore export expose extend extract fetch",
    "file fill filter find finalise finalize finish fix flush forbid format generate get give handle hide implement import",
    "improve include increase inspect install integrate introduce invert investigate invite isolate join keep launch",
    "lint list load lock log lower maintain make map measure merge migrate mock modify monitor mount move normalise",
    "normalize notify open optimise optimize organise organize pause perform pin plan polish port postpone prepare",
    "profile promote propose prototype prove provide provision prune publish pull push raise read rebase rebuild record",
    "recover redesign redo reduce refactor refresh register reject release reload remove rename render reopen reorder",
    "repair replace report reproduce request research reset resolve restart restore restrict resume retain retire retry",
    "return revert review revise revoke rewrite roll rotate run save scan schedule secure select send separate serve set",
    "ship show shrink simplify simulate skip sort specify speed split squash stabilise stabilize start stop store stub",
    "submit summarise summarize support swap switch sync tag teach test tighten toggle trace track train transfer",
    "translate trigger tune turn undo uninstall unlock unpin update upgrade upload use validate verify wait warm watch",
    "wire wrap write",
    "aktiviere ändere baue behebe dokumentiere entferne erstelle führe implementiere lösche mache nutze prüfe refaktoriere",
    "repariere schalte schreibe starte stoppe teste verschiebe warte",
    "ajoute ajouter corrige corriger crée créer déploie déployer écris écrire lance lancer supprime supprimer teste tester",
    "agrega agregar añade añadir borra borrar corrige corregir crea crear despliega desplegar ejecuta ejecutar elimina",
    "eliminar escribe escribir prueba probar",
  ]
    .join(" ")
    .split(" "),
);
