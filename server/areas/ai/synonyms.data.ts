import type { Locale } from '@officium/contract/common';

/**
 * Synonyms in office language, one group per line: a passage with one word answers a question with another. They are
 * general and not specific to any course.
 */
const GROUPS: Record<string, string> = {
  en: `
vendor supplier provider seller contractor
bias biased unfair unfairness unfairly discrimination discriminate prejudice
prompt request instruction instructions
verify check prove proof validate confirm
refuse refusal reject rejection deny denial decline
boss manager superior director supervisor
employee staff worker colleague clerk
citizen resident applicant user client customer
case file record dossier
anonymous anonymise anonymize name recognise identify
disclose tell reveal declare open openness
chatbot chatgpt assistant model tool
ai machine automated automatic algorithm
hallucinate invent fabricate fake
error mistake wrong fault slip
fix repair correct solve
begin start commence opening first
finish end stop
cut delete remove omit drop leave
keep stay remain retain
short brief concise
clear plain understandable simple easy readable
jargon technical specialist
letter notice mail email message
interview conversation
survey questionnaire consultation poll
cost price expense
buy purchase procure procurement
risk danger harm threat
allowed permitted may permission
forbidden prohibited never
deadline due date
appeal challenge objection object
sorry apologise apologize apology regret sympathy
translate translation translator
picture image photo
heading title
bullet bullets list
reader audience recipient
disability disabled accessible accessibility impairment
test trial try pilot experiment
measure metric indicator figure
average mean median
evidence proof
forecast estimate prediction assumption
law legal regulation rule
privacy personal confidential confidentiality
hacker attacker malicious
attack breach threat
train training teach
fast quick quickly speed
decide decision choose choice
participate involve invite
difference differ versus compare
unsuitable suitable suit
information details data
job task work
paste type copy
author writer
reason motive why
expensive dear costly
cheap inexpensive`,
  es: `
denegación denegar rechazo rechazar negativa
carta escrito mensaje correo
personas lectores usuarios gente
prueba probar ensayo
fórmula puntuación índice
legible legibilidad claro
fiar confiar fiable
error fallo equivocación
plazo fecha término
recurso recurrir reclamar reclamación
jefe director responsable
empezar comenzar inicio
borrar quitar eliminar suprimir
breve corto
jerga técnico
título encabezado
lista viñetas
riesgo peligro daño
coste costo precio
traducir traducción traductor`,
  fr: `
refus refuser rejet rejeter
lettre courrier message
lecteur usager public
test essai tester
accessible accessibilité handicap
erreur faute
délai échéance date
recours contester contestation
chef directeur directrice responsable
commencer début premier essentiel
supprimer enlever retirer couper
bref court
jargon technique
titre intertitre
liste puces
acceptable convient approprié permis
risque danger
coût prix
traduire traduction traducteur`,
  ar: `
رفض الرفض
رسالة خطاب كتاب
قارئ قراء
اختبار تجربة
خطأ أخطاء
مهلة موعد تاريخ
حذف يحذف تحذف احذف
بقاء يبقى البقاء مكان مكانها
تظلم اعتراض
مدير رئيس
عنوان عناوين
ترجمة مترجم ناقل نقل
اعتماد الاعتماد ثقة موثوقة يراجع`,
  de: `
lieferant anbieter verkäufer
unfair benachteiligung diskriminierung voreingenommen
prüfen überprüfen kontrollieren nachweis
ablehnen ablehnung absage
chef vorgesetzter leiter leitung direktor
brief schreiben nachricht mail
fehler irrtum
beginnen anfangen beginn anfang
streichen löschen weglassen entfernen
kurz knapp
klar verständlich einfach
frist termin datum
widerspruch einspruch beschwerde
überschrift titel
liste aufzählung
risiko gefahr schaden
kosten preis
übersetzen übersetzung übersetzer`,
  pt: `
recusa recusar negar rejeitar
carta mensagem correio
erro falha engano
prazo data
recurso recorrer reclamar
chefe diretor responsável
começar iniciar início
apagar retirar eliminar cortar
breve curto
claro simples legível
título cabeçalho
risco perigo dano
custo preço
traduzir tradução tradutor`,
  it: `
rifiuto rifiutare negare respingere
lettera messaggio
errore sbaglio
scadenza termine data
ricorso reclamo
capo direttore responsabile
iniziare cominciare inizio
cancellare togliere eliminare
breve corto
chiaro semplice leggibile
titolo intestazione
rischio pericolo danno
costo prezzo
tradurre traduzione traduttore`,
};

/** The groups of a language, none where we have no list. */
export function synonymGroups(locale: Locale): string[][] {
  const groups = GROUPS[locale.split('-')[0] ?? locale] ?? '';
  return groups
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '));
}
